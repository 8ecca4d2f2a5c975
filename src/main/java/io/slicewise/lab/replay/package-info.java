/** A host that answers as a recorded one did, so that a fault can be examined without the host. */
package io.slicewise.lab.replay;
