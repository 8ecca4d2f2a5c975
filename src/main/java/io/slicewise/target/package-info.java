/** The sample applications themselves, deployable in a guest. */
package io.slicewise.target;
