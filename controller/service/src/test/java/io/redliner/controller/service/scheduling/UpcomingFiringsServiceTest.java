// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import io.redliner.controller.core.schedule.DueFiring;
import io.redliner.controller.service.persistence.ScheduleRepository;
import io.redliner.controller.service.scheduling.UpcomingFiringsService.BlockedFirings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

@Execution(ExecutionMode.CONCURRENT)
class UpcomingFiringsServiceTest {

    private final Cluster cluster = new Cluster();

    private final Cluster.Node node = cluster.first;

    private final AtomicInteger statements = new AtomicInteger();

    private final AtomicInteger lookups = new AtomicInteger();

    @AfterEach
    void close() throws Exception {
        cluster.close();
    }

    /** Each statement takes a connection of its own. */
    private final class Counting extends DelegatingDataSource {

        Counting(DataSource source) {
            super(source);
        }

        @Override
        public Connection getConnection() throws SQLException {
            statements.incrementAndGet();
            return super.getConnection();
        }
    }

    private UpcomingFiringsService upcoming() {
        return new UpcomingFiringsService(new ScheduleRepository(JdbcClient.create(new Counting(node.source))),
                new ScheduledPlans(Cluster.READER, node.unreadable), (name, zone) -> {
                    lookups.incrementAndGet();
                    return Optional.ofNullable(cluster.calendars.get(name));
                });
    }

    @Test
    void blocked_times_of_all_plans_end_together_at_a_time_that_is_given() {
        Instant now = cluster.clock.instant();
        Instant end = now.plus(Duration.ofDays(50));
        cluster.calendars.put("holidays", at -> at.isBefore(end) ? Optional.of(end) : Optional.empty());
        cluster.calendars.put("none", at -> Optional.empty());
        node.put(Cluster.plan("blocked", "{cron: \"30 4 * * *\", except: [holidays]}"));
        node.put(Cluster.plan("often", "{cron: \"* * * * *\", except: [none]}"));

        BlockedFirings few = upcoming().blocked(now, now.plus(Duration.ofDays(9)), null, 5);
        BlockedFirings all = upcoming().blocked(now, now.plus(Duration.ofDays(9)), null, 10);
        BlockedFirings far = upcoming().blocked(now, now.plus(Duration.ofDays(60)), null, 5000);

        assertThat(few.items()).extracting(UpcomingFiringsService.BlockedFiring::plan).hasSize(5)
                .containsOnly("blocked");
        assertThat(few.to()).isEqualTo(few.items().getLast().due().plus(Duration.ofDays(1)));
        assertThat(all.items()).hasSize(9);
        assertThat(all.to()).isEqualTo(now.plus(Duration.ofDays(9)));
        // The times of the other plan are looked at, too.
        assertThat(far.items()).hasSizeBetween(13, 15);
        assertThat(far.to()).isBetween(now.plus(Duration.ofDays(13)), now.plus(Duration.ofDays(14)));
    }

    @Test
    void many_plans_and_their_calendar_are_asked_for_at_once() {
        cluster.calendars.put("holidays", at -> Optional.empty());
        for (int number = 10; number < 30; number++) {
            node.put(Cluster.plan("plan-" + number, "{cron: \"%d * * * *\", except: [holidays]}".formatted(number)));
        }
        UpcomingFiringsService upcoming = upcoming();
        Instant now = cluster.clock.instant();

        List<DueFiring> due = upcoming.before(now.plus(Duration.ofHours(3)), null, 500);

        assertThat(due).hasSizeBetween(59, 61).isSortedAccordingTo((one, other) -> one.at().compareTo(other.at()));
        assertThat(due).extracting(DueFiring::plan).contains("plan-10", "plan-29");
        assertThat(statements.get()).isEqualTo(2);
        assertThat(lookups.get()).isEqualTo(1);
    }
}
