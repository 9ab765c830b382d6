import { type ButtonHTMLAttributes, type MouseEvent, useLayoutEffect, useRef } from 'react';
import { Icon, type IconName } from './icon.tsx';

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger';
/** Office controls are 32 px high; in the field 48 px, and 56 px at the thumb. */
type Size = 'small' | 'office' | 'field' | 'thumb';

const greyed = 'disabled:border-line disabled:bg-idle-soft disabled:text-idle-text';
// A quiet button without a ground gets none when it is off: it would look pressed.
const variants: Record<Variant, string> = {
  primary: `${greyed} border-accent bg-accent text-on-accent enabled:hover:border-accent-hover enabled:hover:bg-accent-hover`,
  secondary: `${greyed} border-line-ctl bg-ground text-text enabled:hover:bg-hover`,
  quiet: 'border-transparent bg-transparent text-text-2 enabled:hover:bg-hover disabled:text-line-strong',
  danger: `${greyed} border-bad bg-bad text-on-state enabled:hover:brightness-95`,
};
const sizes: Record<Size, string> = {
  small: 'h-6 whitespace-nowrap px-2 text-12',
  office: 'h-8 whitespace-nowrap px-3 text-14',
  // A driver may have set the phone's text twice as large: a label grows downwards, not over its neighbour.
  field: 'min-h-12 px-4 text-16 font-semibold',
  thumb: 'min-h-14 px-4 text-16 font-semibold',
};
// Colours fade under the pointer alone: a button that comes to life is readable at once. On paper nothing can be pressed.
const base =
  'inline-flex select-none items-center justify-center gap-2 rounded border text-center font-medium hover:transition-colors hover:duration-(--fast) print:hidden';

type Look = { variant?: Variant; size?: Size };

/** The classes of a button, for links that look like one. */
export function buttonClass({ variant = 'secondary', size = 'office' }: Look = {}): string {
  return `${base} ${variants[variant]} ${sizes[size]}`;
}

type Props = ButtonHTMLAttributes<HTMLButtonElement> &
  Look & { icon?: IconName; pending?: boolean; pendingLabel?: string };

/** A browser takes the focus from a button that is switched off: it is given back with the button, unless it went on. */
function useKeptFocus(pending: boolean) {
  const ref = useRef<HTMLButtonElement>(null);
  const hadFocus = useRef(false);
  // Not in a clean-up: React sets the focus back to where it was before one.
  useLayoutEffect(() => {
    if (pending) hadFocus.current = document.activeElement === ref.current;
    else if (hadFocus.current && document.activeElement === document.body) ref.current?.focus();
  }, [pending]);
  return ref;
}

type OnClick = ButtonHTMLAttributes<HTMLButtonElement>['onClick'];

/** The second click of a double click is no second wish: the next row may have moved under it by then. */
function once(onClick: OnClick) {
  return (event: MouseEvent<HTMLButtonElement>): void => {
    if (event.detail > 1) event.preventDefault();
    else onClick?.(event);
  };
}

/** While pending it keeps its place, cannot be pressed again and says what it is doing. */
export function Button({ variant, size, icon, pending, pendingLabel, className = '', children, ...rest }: Props) {
  const look: Look = { ...(variant ? { variant } : {}), ...(size ? { size } : {}) };
  const ref = useKeptFocus(pending === true);
  return (
    <button
      ref={ref}
      type="button"
      {...rest}
      // A button that can be pending starts work.
      onClick={pending === undefined ? rest.onClick : once(rest.onClick)}
      disabled={rest.disabled || pending}
      aria-busy={pending || undefined}
      className={`${buttonClass(look)} ${className}`}
    >
      {icon && <Icon name={icon} size={size === 'field' || size === 'thumb' ? 20 : 16} />}
      {pending && pendingLabel ? pendingLabel : children}
    </button>
  );
}

type IconButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'aria-label'> & {
  label: string;
  icon: IconName;
  size?: Size;
  variant?: Variant;
};

const squares: Record<Size, string> = { small: 'w-6 px-0', office: 'w-8 px-0', field: 'w-12 px-0', thumb: 'w-14 px-0' };

/** A button that shows only a picture; its label is read aloud and shown on hover. */
export function IconButton({
  label,
  icon,
  size = 'office',
  variant = 'quiet',
  className = '',
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={`${buttonClass({ variant, size })} ${squares[size]} ${className}`}
    >
      <Icon name={icon} size={size === 'field' || size === 'thumb' ? 24 : 16} />
    </button>
  );
}
