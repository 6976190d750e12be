// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import io.redliner.controller.core.replay.RunJsonMapper;
import io.redliner.controller.core.run.Certainty;
import io.redliner.controller.core.run.RunOutcome;
import io.redliner.controller.core.run.SearchConclusion;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Reads what happened in a time: runs and deployments of all services, without their details. */
public final class ActivityRepository {

    /** A run that ended in the time and was submitted longer before is left out, so that the index on submissions suffices. */
    private static final Duration MAX_RUN = Duration.ofDays(8);

    private static final Set<String> CAPACITIES = Set.of(RunOutcome.CAPACITY_FOUND.name(),
            RunOutcome.TRAFFIC_EXHAUSTED.name());

    private static final String COLUMNS = """
            id, service, phase, outcome, submitted_at, finished_at, state #> '{ending,conclusion}' AS conclusion""";

    private final JdbcClient jdbc;

    private final RunJsonMapper json;

    private final UnreadableRows unreadable;

    public ActivityRepository(JdbcClient jdbc, RunJsonMapper json, UnreadableRows unreadable) {
        this.jdbc = jdbc;
        this.json = json;
        this.unreadable = unreadable;
    }

    /**
     * A run over time.
     *
     * @param outcome absent while it goes on
     * @param to when it ended; absent while it goes on
     * @param certainty how far its capacity can be relied on; absent when its answer is no capacity
     */
    public record RunSpan(String id, String service, String phase, @Nullable String outcome, Instant from,
            @Nullable Instant to, Certainty.@Nullable Level certainty) {}

    /** A deployment of a service, without its instances. */
    public record Deployed(String id, String service, String version, Instant at) {}

    /** Returns runs that were live at some time since an instant, newest first. */
    public List<RunSpan> runs(Instant since, int limit) {
        return jdbc.sql("""
                SELECT %s FROM run
                WHERE phase <> 'Finished'
                    OR phase = 'Finished' AND submitted_at >= :submittedSince AND finished_at >= :since
                ORDER BY submitted_at DESC, id DESC LIMIT :limit""".formatted(COLUMNS))
                .param("since", SqlTimestamps.sql(since))
                .param("submittedSince", SqlTimestamps.sql(since.minus(MAX_RUN)))
                .param("limit", limit)
                .query(this::run)
                .list();
    }

    /** Returns the newest run that is over of each of the services that has one. */
    public Map<String, RunSpan> last(Collection<String> services) {
        return jdbc.sql("""
                SELECT run.* FROM unnest(:services) AS wanted(service), LATERAL (
                    SELECT %s FROM run
                    WHERE run.service = wanted.service AND phase = 'Finished'
                    ORDER BY submitted_at DESC, id DESC LIMIT 1) run""".formatted(COLUMNS))
                .param("services", services.toArray(String[]::new))
                .query(this::run)
                .list()
                .stream()
                .collect(Collectors.toMap(RunSpan::service, Function.identity()));
    }

    private RunSpan run(ResultSet row, int number) throws SQLException {
        String id = row.getString("id");
        String outcome = row.getString("outcome");
        return new RunSpan(id, row.getString("service"), row.getString("phase"), outcome,
                SqlTimestamps.read(row, "submitted_at"), SqlTimestamps.readIfAny(row, "finished_at"),
                CAPACITIES.contains(String.valueOf(outcome)) ? certainty(id, row.getString("conclusion")) : null);
    }

    /** Returns how far a capacity can be relied on; with a conclusion that cannot be read that cannot be known. */
    private Certainty.Level certainty(String runId, @Nullable String conclusion) {
        return Certainty.of(conclusion == null
                ? null
                : unreadable.read(UnreadableRows.Kind.RUN, runId, () -> json.read(conclusion, SearchConclusion.class))
                        .orElse(null))
                .level();
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
