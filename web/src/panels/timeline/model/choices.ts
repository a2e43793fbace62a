// What the reader chose in the panes, as the URL has it.

export interface FlameChoice {
  by: string; // "thread", "process", "all", or "track:7": the thread with that track.
  whole: boolean; // Of the whole run, not of the visible range.
}

// What is empty is chosen by the server.
export interface StepChoice {
  step: number | null;
  mode: string;
  process: string;
}
