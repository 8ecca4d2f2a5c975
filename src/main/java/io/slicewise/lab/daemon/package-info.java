/**
 * The embedded host's door: an SSH server with key authentication, commands and SFTP, and the
 * scripted faults that happen on the way.
 */
package io.slicewise.lab.daemon;
