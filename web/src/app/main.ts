// The dashboard begins here.

import './app.css';
import './shell.css';
import '../base/colours.css';
import '../charts/charts.css';
import { App } from './app';

new App(document.body).start();
