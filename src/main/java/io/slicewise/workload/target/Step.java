package io.slicewise.workload.target;

/** The steps of one page view, in their order; each waits for its {@link Pace}. */
public enum Step {
  /** The request was read and its work begins. */
  RECEIVE,
  /** The user's name and MD5 password hash are looked up in {@code users}. */
  SIGN_IN_QUERY,
  /** One row goes into {@code log}. */
  LOG_INSERT,
  /** The page's text is read from {@code content}. */
  CONTENT_QUERY,
  /** The header is read from the file directory. */
  HEADER_FILE,
  /** The footer is read from the file directory. */
  FOOTER_FILE,
  /** The page is assembled. */
  RENDER,
  /** The page is sent to the network. */
  SEND
}
