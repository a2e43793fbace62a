// The panels of a run, in the order of its navigation.

import type { RunPanel } from '../panels/panel';
import { panel as compare } from '../panels/compare';
import { panel as layers } from '../panels/layers';
import { panel as logs } from '../panels/logs';
import { panel as overview } from '../panels/overview';
import { panel as profiler } from '../panels/profiler';
import { panel as ranks } from '../panels/ranks';
import { panel as reports } from '../panels/reports';
import { panel as system } from '../panels/system';
import { panel as tensors } from '../panels/tensors';
import { panel as timeline } from '../panels/timeline';

export const PANELS: readonly RunPanel[] = [
  overview,
  tensors,
  layers,
  ranks,
  compare,
  system,
  profiler,
  timeline,
  reports,
  logs,
];
