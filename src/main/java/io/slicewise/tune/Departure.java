package io.slicewise.tune;

/**
 * A candidate that left the race.
 *
 * @param block number of the block, from 1, after which it left
 * @param reason a clause for the report, such as "P(within 5 % of the best) < 0.001"
 */
public record Departure(int candidate, int block, String reason) {}
