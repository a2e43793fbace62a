// Entry point of the dashboard.

import './app.css';
import './shell.css';
import '../base/colours.css';
import '../charts/charts.css';
import { App } from './app';

new App(document.body).start();
