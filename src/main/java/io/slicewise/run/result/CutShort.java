package io.slicewise.run.result;

/**
 * Why a guard ended a window before its time, whoever's it was.
 *
 * @param hard whether a hard limit was broken, after which a candidate leaves at once
 * @param sentence what its users experienced
 * @param restoreSeconds from the alarm to the settings found, read back; 0 where they were set
 */
public record CutShort(boolean hard, String sentence, double restoreSeconds) {}
