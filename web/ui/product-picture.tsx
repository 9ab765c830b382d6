type Props = {
  productId: number | null;
  /** Which picture it has. */
  picture: string | null | undefined;
  size: number;
  className?: string;
};

/** The product as it looks; nothing where it has no picture. Its name stands beside it, so it says nothing by itself. */
export function ProductPicture({ productId, picture, size, className = '' }: Props) {
  if (productId === null || !picture) return null;
  return (
    <img
      src={`/api/products/${productId}/picture?of=${picture}`}
      alt=""
      width={size}
      height={size}
      loading="lazy"
      className={`flex-none rounded-s bg-white object-contain ${className}`}
      style={{ width: size, height: size }}
    />
  );
}
