/**
 * How a trial or a window is measured: its settings are in force, observers and load begin, a guard
 * may cut it short, and its result is assembled.
 */
package io.slicewise.sweep.window;
