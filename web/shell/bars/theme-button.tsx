import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import type { IconName } from '../../ui/icon.tsx';

type Theme = 'system' | 'light' | 'dark';

const next: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };
const icons: Record<Theme, IconName> = { system: 'screen', light: 'sun', dark: 'moon' };
const words: Record<Theme, string> = { system: "the system's", light: 'light', dark: 'dark' };

function chosen(): Theme {
  const { theme } = document.documentElement.dataset;
  return theme === 'light' || theme === 'dark' ? theme : 'system';
}

/** System, light, dark, in turn; remembered on this device. */
export function ThemeButton({ size }: { size: 'office' | 'field' }) {
  const [theme, setTheme] = useState<Theme>(chosen);
  const change = (): void => {
    const wanted = next[theme];
    if (wanted === 'system') {
      delete document.documentElement.dataset.theme;
      localStorage.removeItem('milkrun-theme');
    } else {
      document.documentElement.dataset.theme = wanted;
      localStorage.setItem('milkrun-theme', wanted);
    }
    setTheme(wanted);
  };
  return (
    <IconButton
      label={`Theme is ${words[theme]}; change to ${words[next[theme]]}`}
      icon={icons[theme]}
      size={size}
      onClick={change}
    />
  );
}
