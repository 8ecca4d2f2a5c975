import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.Session;
import io.gatling.javaapi.core.Simulation;
import java.time.Duration;

/**
 * The plan web-app.jmx for Gatling, compiled by generator.sh: sign in, get the page, look at its
 * two ends.
 */
public final class PageSimulation extends Simulation {
  /** Gatling creates the simulation by this constructor. */
  public PageSimulation() {
    int users = Integer.getInteger("users");
    Duration time = Duration.ofSeconds(Long.getLong("seconds"));
    setUp(
            scenario("web-app")
                .exec(session -> session.set("number", number(session)))
                .during(time)
                .on(
                    exec(
                        http("page")
                            .post("/")
                            .formParam("user", "user#{number}")
                            .formParam("password", "password#{number}")
                            .check(
                                status().is(200),
                                substring("Signed in as user#{number}."),
                                substring("</html>"))))
                .injectOpen(atOnceUsers(users)))
        .protocols(http.baseUrl("http://127.0.0.1:" + System.getProperty("port")));
  }

  private static long number(Session session) {
    return (session.userId() - 1) % 5 + 1;
  }
}
