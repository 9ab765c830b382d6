declare module 'virtual:us-towns' {
  /** Name, latitude, longitude, inhabitants; largest first. */
  export const towns: [string, number, number, number][];
}

declare module '*.topojson?url' {
  const address: string;
  // biome-ignore lint/style/noDefaultExport: the bundler exports the address of an asset this way
  export default address;
}
