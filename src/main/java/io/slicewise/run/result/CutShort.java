package io.slicewise.run.result;

import io.slicewise.stats.SlowdownAlarm;

/**
 * Why a guard ended a window before its time, whoever's it was.
 *
 * @param kind of the alarm; a candidate leaves at once unless it only looked slower
 * @param sentence what its users experienced
 * @param restoreSeconds from the alarm to the settings found, read back; 0 where they were set
 */
public record CutShort(SlowdownAlarm.Kind kind, String sentence, double restoreSeconds) {}
