import type { DragEvent } from 'react';

/** What is told as long as something is dragged over an element. A browser also asks on entering: unanswered, it refuses a drop right after. */
export const onDragOver = (take: (event: DragEvent) => void) => ({ onDragEnter: take, onDragOver: take });
