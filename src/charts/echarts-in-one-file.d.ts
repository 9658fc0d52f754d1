/** ECharts as one file: read in a fifth of the time, with a fifth of the memory of its 500 modules. */
declare module 'echarts/dist/echarts.esm.min' {
  export * from 'echarts'
}
