/** A text file, as a string: the build puts it into the server's own file. */
declare module '*?raw' {
  const text: string;
  // biome-ignore lint/style/noDefaultExport: this is what Vite gives.
  export default text;
}
