// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.redliner.controller.scene.Scene;
import io.redliner.controller.scene.TcpLink;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * PostgreSQL is away while the scheduler looks for due firings, in the machine's time; all else stands still with virtual time. A look
 * waits for the pool, whose one thread tries to connect less and less often, with pauses of up to 5 s.
 */
@Tag("fault")
class AwayDatabasePollTest {

    private static final Duration AWAY = Duration.ofSeconds(30);

    /** Connections in 30 s. 13 or 14 were counted at a poll each 50 ms, each second and each hour: 9 in the first 6 s, then one in 5 s. */
    private static final int MAX_ATTEMPTS = 18;

    @Test
    void the_database_is_asked_less_and_less_often_however_often_firings_are_looked_for() throws InterruptedException {
        try (Scene scene = Scene.virtual(Map.of())) {
            String url = scene.context().getEnvironment().getRequiredProperty("spring.datasource.url");
            int port = URI.create(url.substring("jdbc:".length())).getPort();
            try (TcpLink link = new TcpLink(port);
                    ConfigurableApplicationContext controller = scene.startController(Map.of(
                            "spring.datasource.hikari.jdbc-url", url.replace(":" + port + "/", ":" + link.port() + "/"),
                            "redliner.controller.schedule.polling", "50ms"))) {
                link.cut();
                long begin = System.nanoTime();
                await().pollInterval(Duration.ofSeconds(1)).atMost(AWAY.multipliedBy(3))
                        .until(() -> System.nanoTime() - begin > AWAY.toNanos());
                assertThat(link.refused()).isBetween(2, MAX_ATTEMPTS);

                link.mend();
                await().ignoreExceptions().until(() -> controller.getBean(JdbcClient.class).sql("SELECT 1")
                        .query(Integer.class).single() == 1);
            }
        }
    }
}
