package io.slicewise.workload.target;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Creates pages: the steps in order, each at its pace. */
record PageView(PageStore store, PageFiles files, Steps<Step> steps) {
  private static final int PAGE_BYTES = 6 * 1024;

  /** Completes with the reply when it may be sent; never exceptionally. */
  CompletionStage<Reply> make(Credentials credentials, int article) {
    return steps
        .first(Step.RECEIVE)
        .thenCompose(ready -> steps.next(Step.SIGN_IN_QUERY))
        .thenApply(ready -> store.accepts(credentials))
        .thenCompose(
            known ->
                known
                    ? page(credentials.user(), article)
                    : CompletableFuture.completedFuture(
                        Reply.of(401, "The name or the password is wrong.")))
        .thenCompose(reply -> steps.next(Step.SEND).thenApply(ready -> reply))
        .exceptionally(Reply::unavailable);
  }

  private CompletionStage<Reply> page(String user, int article) {
    Draft draft = new Draft(user);
    return steps
        .next(Step.LOG_INSERT)
        .thenAccept(ready -> store.log(user, article))
        .thenCompose(done -> steps.next(Step.CONTENT_QUERY))
        .thenAccept(ready -> draft.article = store.article(article).orElse(draft.article))
        .thenCompose(done -> steps.next(Step.HEADER_FILE))
        .thenAccept(ready -> draft.header = files.read(PageFiles.HEADER))
        .thenCompose(done -> steps.next(Step.FOOTER_FILE))
        .thenAccept(ready -> draft.footer = files.read(PageFiles.FOOTER))
        .thenCompose(done -> steps.next(Step.RENDER))
        .thenApply(ready -> draft.render());
  }

  /** The page under construction; used by one step after the other. */
  private static final class Draft {
    private final String user;
    private SampleData.Article article = new SampleData.Article(0, "", "");
    private byte[] header = {};
    private byte[] footer = {};

    Draft(String user) {
      this.user = user;
    }

    Reply render() {
      if (article.title().isEmpty()) {
        return Reply.of(404, "There is no such article.");
      }
      ByteArrayOutputStream page = new ByteArrayOutputStream(PAGE_BYTES);
      page.writeBytes(header);
      String middle =
          "<h1>" + article.title() + "</h1>\n<p>Signed in as " + user + ".</p>\n" + article.body();
      page.writeBytes(middle.getBytes(StandardCharsets.UTF_8));
      page.writeBytes(footer);
      return Reply.page(200, page.toByteArray());
    }
  }
}
