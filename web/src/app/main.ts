// Entry point of the dashboard.

import './app.css';
import './shell.css';
import '../base/colours.css';
import '../charts/charts.css';
import { exportedRun } from '../api/exported';
import { App } from './app';

void exportedRun().then((exported) => new App(document.body, exported).start());
