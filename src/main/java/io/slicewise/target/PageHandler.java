package io.slicewise.target;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import org.eclipse.jetty.http.HttpCookie;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.server.FormFields;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.eclipse.jetty.util.Promise;

/**
 * HTTP around the page, which is at {@code /} and {@code /index}: {@code POST} with the form fields
 * {@code user} and {@code password} opens or refreshes a session and answers with the page; {@code
 * GET} answers a session. The query parameter {@code article} (1..10) chooses the text.
 */
final class PageHandler extends Handler.Abstract.NonBlocking {
  private static final Set<String> PATHS = Set.of("/", "/index");
  private static final String COOKIE = "slicewise-session";
  private static final int MOST_FIELDS = 8;
  private static final int MOST_FORM_BYTES = 4096;

  private final PageView pages;
  private final Sessions sessions = new Sessions();

  PageHandler(PageView pages) {
    this.pages = pages;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    if (!PATHS.contains(Request.getPathInContext(request))) {
      return false;
    }
    if (HttpMethod.POST.is(request.getMethod())) {
      FormFields.onFields(
          request,
          StandardCharsets.UTF_8,
          MOST_FIELDS,
          MOST_FORM_BYTES,
          Promise.Invocable.from(
              InvocationType.NON_BLOCKING,
              form -> signIn(new Exchange(request, response, callback), form),
              fault -> Response.writeError(request, response, callback, 400, "not a form")));
    } else {
      view(new Exchange(request, response, callback));
    }
    return true;
  }

  private void signIn(Exchange exchange, Fields form) {
    String user = form.getValue("user");
    String password = form.getValue("password");
    if (user == null || password == null) {
      exchange.send(PageView.Reply.of(400, "The form needs the fields user and password."));
      return;
    }
    Credentials credentials = Credentials.of(user, password);
    boolean fresh = session(exchange.request).filter(credentials::equals).isEmpty();
    pages
        .make(credentials, article(exchange.request))
        .thenAccept(
            reply -> {
              if (fresh && reply.status() == 200) {
                exchange.set(cookie(sessions.open(credentials)));
              }
              exchange.send(reply);
            });
  }

  private void view(Exchange exchange) {
    session(exchange.request)
        .ifPresentOrElse(
            credentials ->
                pages.make(credentials, article(exchange.request)).thenAccept(exchange::send),
            () -> exchange.send(PageView.Reply.of(401, "Sign in first.")));
  }

  private Optional<Credentials> session(Request request) {
    return Request.getCookies(request).stream()
        .filter(cookie -> cookie.getName().equals(COOKIE))
        .findFirst()
        .flatMap(cookie -> sessions.find(cookie.getValue()));
  }

  private static HttpCookie cookie(String id) {
    return HttpCookie.build(COOKIE, id)
        .path("/")
        .httpOnly(true)
        .sameSite(HttpCookie.SameSite.STRICT)
        .build();
  }

  /** The article asked for; one that cannot exist when the number is no number. */
  private static int article(Request request) {
    String query = request.getHttpURI().getQuery();
    if (query == null) {
      return 1;
    }
    String number = Request.extractQueryParameters(request).getValue("article");
    return number == null ? 1 : number.matches("[0-9]{1,4}") ? Integer.parseInt(number) : 0;
  }

  private record Exchange(Request request, Response response, Callback callback) {
    void set(HttpCookie cookie) {
      Response.addCookie(response, cookie);
    }

    void send(PageView.Reply reply) {
      response.setStatus(reply.status());
      response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/html;charset=utf-8");
      response.getHeaders().put(HttpHeader.CACHE_CONTROL, "no-store");
      response.write(true, reply.body(), callback);
    }
  }
}
