package io.slicewise.workload.target;

/** The steps of the portal's answers; each answer takes some of them, in this order. */
public enum PortalStep {
  /** The request was read and its work begins. */
  RECEIVE,
  /** The user's name and MD5 password hash are looked up in {@code users}. */
  SIGN_IN_QUERY,
  /** One row goes into {@code lists}. */
  LIST_INSERT,
  /** A document goes into {@code documents}. */
  DOCUMENT_INSERT,
  /** A document is read from {@code documents}. */
  DOCUMENT_QUERY,
  /** The newest lists are read for the main site. */
  SITE_QUERY,
  /** Header and footer are read from the file directory. */
  FILES,
  /** The page is assembled. */
  RENDER,
  /** The answer is sent to the network. */
  SEND
}
