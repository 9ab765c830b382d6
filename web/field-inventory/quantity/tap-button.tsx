import { IconButton } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';

/** A square of 48 px for a glove, with an icon; its meaning is label and hint. */
export function TapButton(props: {
  icon: IconName;
  label: string;
  onClick: () => void;
  isPressed?: boolean;
  isDisabled?: boolean;
}) {
  const { icon, label, onClick, isPressed, isDisabled } = props;
  return (
    <IconButton
      size="field"
      icon={icon}
      label={label}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
      className={`flex-none ${isPressed ? '!bg-accent-soft !text-accent' : '!text-text'}`}
    />
  );
}
