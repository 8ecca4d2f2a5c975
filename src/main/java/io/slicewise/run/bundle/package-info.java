/** A run as one archive: sealed, verified, and opened for reading; with names replaced if asked. */
package io.slicewise.run.bundle;
