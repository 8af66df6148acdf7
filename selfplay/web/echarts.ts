// The parts of ECharts that the charts use. The build bundles them into one file, because loading the package's modules one by one takes
// half a second.

import { BarChart, CustomChart, LineChart, ScatterChart } from 'echarts/charts';
import { GridComponent, LegendComponent, MarkLineComponent } from 'echarts/components';
import { init, use } from 'echarts/core';
import { SVGRenderer } from 'echarts/renderers';

use([BarChart, LineChart, ScatterChart, CustomChart, GridComponent, LegendComponent, MarkLineComponent, SVGRenderer]);

export { init };
