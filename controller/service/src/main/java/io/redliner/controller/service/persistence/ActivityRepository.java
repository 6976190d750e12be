// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads what happened in a time: runs and deployments of all services, without their details. */
public final class ActivityRepository {

    /** A run that ended in the time and was submitted longer before is left out, so that the index on submissions suffices. */
    private static final Duration MAX_RUN = Duration.ofDays(8);

    private final JdbcClient jdbc;

    public ActivityRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * A run over time.
     *
     * @param outcome absent while it goes on
     * @param to when it ended; absent while it goes on
     */
    public record RunSpan(String id, String service, String phase, @Nullable String outcome, Instant from,
            @Nullable Instant to) {}

    /** A deployment of a service, without its instances. */
    public record Deployed(String id, String service, String version, Instant at) {}

    /** Returns runs that were live at some time since an instant, newest first. */
    public List<RunSpan> runs(Instant since, int limit) {
        return jdbc.sql("""
                SELECT id, service, phase, outcome, submitted_at, finished_at FROM run
                WHERE phase <> 'Finished'
                    OR phase = 'Finished' AND submitted_at >= :submittedSince AND finished_at >= :since
                ORDER BY submitted_at DESC, id DESC LIMIT :limit""")
                .param("since", SqlTimestamps.sql(since))
                .param("submittedSince", SqlTimestamps.sql(since.minus(MAX_RUN)))
                .param("limit", limit)
                .query(ActivityRepository::run)
                .list();
    }

    /** Returns the newest run that is over of each of the services that has one. */
    public Map<String, RunSpan> last(Collection<String> services) {
        return jdbc.sql("""
                SELECT run.* FROM unnest(:services) AS wanted(service), LATERAL (
                    SELECT id, service, phase, outcome, submitted_at, finished_at FROM run
                    WHERE run.service = wanted.service AND phase = 'Finished'
                    ORDER BY submitted_at DESC, id DESC LIMIT 1) run""")
                .param("services", services.toArray(String[]::new))
                .query(ActivityRepository::run)
                .list()
                .stream()
                .collect(Collectors.toMap(RunSpan::service, Function.identity()));
    }

    private static RunSpan run(ResultSet row, int number) throws SQLException {
        return new RunSpan(row.getString("id"), row.getString("service"), row.getString("phase"),
                row.getString("outcome"), SqlTimestamps.read(row, "submitted_at"),
                SqlTimestamps.readIfAny(row, "finished_at"));
    }

    /** Returns deployments from an instant on, newest first. */
    public List<Deployed> deployments(Instant since, int limit) {
        return jdbc.sql("""
                SELECT id, service, version, at FROM deployment WHERE received_at >= :since AND at >= :since
                ORDER BY at DESC, id DESC LIMIT :limit""")
                .param("since", SqlTimestamps.sql(since))
                .param("limit", limit)
                .query((row, number) -> new Deployed(row.getString("id"), row.getString("service"),
                        row.getString("version"), SqlTimestamps.read(row, "at")))
                .list();
    }
}
