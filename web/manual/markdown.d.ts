declare module '*.md' {
  export const page: import('./page.ts').ManualPage;
}
