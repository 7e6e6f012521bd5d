export interface Swift {
  options: {
    endpoint: string;
    bucket: string;
    region: string;
    accessKeyId: string;
    secretAccessKey: string;
  };
  close(): Promise<void>;
}

export function startSwift(): Promise<Swift>;
