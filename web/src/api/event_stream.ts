// Server-sent events over fetch, because an EventSource cannot send the header of the session.

import { sessionHeaders } from './session_key';

export interface StreamListener {
  opened: () => void;
  heard: (name: string, data: string) => void;
  // Refused, lost or ended; not called after close().
  failed: () => void;
}

// Splits the text of a stream into events. Pieces may be cut anywhere.
export class EventParser {
  private rest = '';
  private name = '';
  private data: string[] = [];

  constructor(private readonly heard: (name: string, data: string) => void) {}

  take(piece: string): void {
    const lines = (this.rest + piece).split('\n');
    this.rest = lines.pop() ?? '';
    for (const line of lines) this.line(line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  private line(line: string): void {
    if (line === '') {
      if (this.data.length > 0) this.heard(this.name || 'message', this.data.join('\n'));
      this.name = '';
      this.data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.name = value;
    else if (field === 'data') this.data.push(value);
  }
}

export class EventStream {
  private readonly abort = new AbortController();

  constructor(
    url: string,
    private readonly listener: StreamListener,
  ) {
    void this.run(url);
  }

  close(): void {
    this.abort.abort();
  }

  private async run(url: string): Promise<void> {
    try {
      await this.read(url);
    } catch {
      // Told below, as the regular end of the stream is.
    }
    if (!this.abort.signal.aborted) this.listener.failed();
  }

  private async read(url: string): Promise<void> {
    const headers = { Accept: 'text/event-stream', ...sessionHeaders() };
    const { signal } = this.abort;
    const response = await fetch(url, { headers, signal, cache: 'no-store' });
    if (!response.ok || !response.body) return;
    this.listener.opened();
    const parser = new EventParser((name, data) => {
      if (!signal.aborted) this.listener.heard(name, data);
    });
    const text = new TextDecoder();
    const reader = response.body.getReader();
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      parser.take(text.decode(piece.value, { stream: true }));
    }
  }
}
