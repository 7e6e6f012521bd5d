// Unit tests read dates as a British reader does, wherever they run; older Nodes know no reader.
const { navigator } = globalThis as { navigator?: object };
const languages = { value: ['en-GB'], configurable: true };
if (navigator) Object.defineProperty(navigator, 'languages', languages);
