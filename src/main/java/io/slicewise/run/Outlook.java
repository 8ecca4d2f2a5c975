package io.slicewise.run;

/**
 * The state of a tune, for its observers.
 *
 * @param racing candidates still in the race
 * @param best name of the leader; empty before anything was raced
 * @param probability that it is good enough, at least
 * @param secondsLeft of the budget; infinite where time is not limited
 */
public record Outlook(int racing, String best, double probability, double secondsLeft) {}
