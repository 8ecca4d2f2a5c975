package io.slicewise.host.monitor;

/**
 * One line of a xenmon log: one domain on one pCPU in one pass. Rates are nanoseconds per second of
 * wall time, whatever xenmon's interval. Column numbers count from 1.
 *
 * @param line line number in its file, from 1
 * @param passedMillis column 1, milliseconds since xenmon's first pass
 * @param pcpu column 2
 * @param domain column 3; -1 is the idle domain
 * @param runRate column 4
 * @param perDispatch column 7: slice granted (Xen up to 4.7) or mean wait (4.8 on), ns
 * @param blockedRate column 8
 * @param waitedRate column 11: wait (up to 4.7) or meaningless (4.8 on)
 * @param waitedPerDispatch column 13, as column 11 but per dispatch
 * @param dispatchRate column 14, dispatches per second
 * @param ioRate column 15, requests of its network and disk backends per second; 0 where xenmon
 *     does not trace them
 */
record XenmonRow(
    int line,
    double passedMillis,
    int pcpu,
    int domain,
    double runRate,
    double perDispatch,
    double blockedRate,
    double waitedRate,
    double waitedPerDispatch,
    double dispatchRate,
    double ioRate) {
  static final int IDLE = -1;
}
