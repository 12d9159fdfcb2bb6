import 'virtual:palette.css'
import './styles/base.css'
import './styles/layout.css'
import './styles/charts.css'
import './styles/views.css'
import './styles/inbox.css'
import './styles/page.css'
import { render } from 'preact'
import { App } from './app/app.js'

render(<App />, document.getElementById('app')!)
