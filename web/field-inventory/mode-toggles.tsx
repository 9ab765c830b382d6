import { canKeepPhotos } from '../offline/photos/photos.ts';
import { Icon, type IconName } from '../ui/icon.tsx';
import { TapButton } from './quantity/tap-button.tsx';

export type Modes = { scan: boolean; photo: boolean; quickRestock: boolean };

type Toggle = { mode: keyof Modes; icon: IconName; word: string; hint: string; isDisabled?: boolean };

function togglesFor(modes: Modes): Toggle[] {
  const canPhoto = canKeepPhotos();
  const photoHint = modes.photo ? 'Disable Photo Mode' : 'Enable Photo Mode';
  return [
    { mode: 'scan', icon: 'scan', word: 'Scan', hint: modes.scan ? 'Disable Scan Mode' : 'Enable Scan Mode' },
    {
      mode: 'photo',
      icon: 'camera',
      word: 'Photo',
      hint: canPhoto ? photoHint : 'Photo Mode needs a secure address (https)',
      isDisabled: !canPhoto,
    },
    { mode: 'quickRestock', icon: 'bolt', word: 'Quick Restock', hint: 'Quick Restock' },
  ];
}

type ModeTogglesProps = { modes: Modes; onChange: (modes: Modes) => void; isCompact: boolean };

/** Three modes, each on its own; the hint says what a tap does. Words where there is room, else the icons alone. */
export function ModeToggles({ modes, onChange, isCompact }: ModeTogglesProps) {
  const look = isCompact ? 'flex' : 'grid grid-cols-[1fr_1fr_auto] gap-2 border-b border-line px-4 py-2';
  return (
    <fieldset aria-label="Modes" className={`m-0 min-w-0 flex-none border-0 p-0 ${look}`}>
      {togglesFor(modes).map((toggle) => {
        const { mode, icon, hint, isDisabled } = toggle;
        const onClick = () => onChange({ ...modes, [mode]: !modes[mode] });
        const shared = { label: hint, isPressed: modes[mode], isDisabled, onClick };
        return isCompact ? (
          <TapButton key={mode} icon={icon} {...shared} />
        ) : (
          <WordToggle key={mode} icon={icon} word={toggle.word} {...shared} />
        );
      })}
    </fieldset>
  );
}

function WordToggle(props: {
  icon: IconName;
  word: string;
  label: string;
  isPressed: boolean;
  isDisabled?: boolean;
  onClick: () => void;
}) {
  const { icon, word, label, isPressed, isDisabled, onClick } = props;
  const look = isPressed ? 'border-accent bg-accent-soft text-accent' : 'border-line-ctl text-text active:bg-hover';
  return (
    <button
      type="button"
      aria-label={label}
      aria-pressed={isPressed}
      title={label}
      disabled={isDisabled}
      onClick={onClick}
      className={`inline-flex h-12 items-center justify-center gap-2 rounded border px-3 text-14 font-semibold disabled:text-text-3 ${look}`}
    >
      <Icon name={icon} size={20} />
      {word}
    </button>
  );
}
