/**
 * The login shell of the embedded host's control domain: the grammar of a POSIX shell without
 * functions and here-documents, and the processes that it starts. Unsupported syntax is refused,
 * never misinterpreted.
 */
package io.slicewise.lab.shell;
