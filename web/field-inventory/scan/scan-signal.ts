/** Loud enough beside a compressor, short enough for a hundred in a row. */
const toneSeconds = 0.09;
const pitchHz = { found: 1760, problem: 330 } as const;
const buzzMs = { found: [50], problem: [80, 60, 80] } as const;

let sound: AudioContext | null = null;

/** A short sound and a buzz, high for a product found and low for a problem. A phone without either stays silent. */
export function signalScan(result: keyof typeof pitchHz): void {
  navigator.vibrate?.([...buzzMs[result]]);
  if (typeof AudioContext === 'undefined') return;
  sound ??= new AudioContext();
  const tone = sound.createOscillator();
  tone.frequency.value = pitchHz[result];
  tone.connect(sound.destination);
  tone.start();
  tone.stop(sound.currentTime + toneSeconds);
}
