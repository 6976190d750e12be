// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** The tasks of a db-scheduler and their times, changed in the transaction of the caller. */
public final class ScheduledTaskRepository {

    /** Table of the tasks that start runs. */
    public static final String FIRINGS = "scheduled_tasks";

    /** Table of the tasks that deliver notifications. */
    public static final String DELIVERIES = "notification_task";

    /** Starts a plan by the clock; instance: id of the schedule. */
    public static final String BY_CLOCK = "plan";

    /** Starts a plan after a deployment; instance: key of the firing. */
    public static final String BY_DEPLOYMENT = "deployment";

    /** Delivers a notification; instance: its id. */
    public static final String DELIVERY = "delivery";

    private final SchedulerClient client;

    private final TaskDataSerializer serializer = new TaskDataSerializer();

    private final JdbcClient jdbc;

    private final String table;

    /** @param table of the scheduler: {@link #FIRINGS} or {@link #DELIVERIES} */
    public ScheduledTaskRepository(DataSource database, JdbcClient jdbc, String table) {
        this.client = SchedulerClient.Builder.create(new TransactionAwareDataSourceProxy(database))
                .serializer(serializer)
                .tableName(table)
                .build();
        this.jdbc = jdbc;
        this.table = table;
    }

    /** Adds a task, unless a task of this name and id exists. */
    public void add(String task, String instance, String data, Instant at) {
        client.scheduleIfNotExists(new TaskInstance<>(task, instance, data), at);
    }

    /** Adds a task, or changes the time of the one that exists. A running task stays: its handler decides when it runs again. */
    public void addOrMove(String task, String instance, String data, Instant at) {
        jdbc.sql("INSERT INTO " + table + """
                 AS t (task_name, task_instance, task_data, execution_time, picked, version)
                VALUES (:task, :instance, :data, :at, false, 1)
                ON CONFLICT (task_name, task_instance) DO UPDATE SET execution_time = :at WHERE NOT t.picked""")
                .param("task", task)
                .param("instance", instance)
                .param("data", serializer.serialize(data))
                .param("at", SqlTimestamps.sql(at))
                .update();
    }

    /** Changes the time of a task that exists. A running task stays: its handler decides when it runs again. */
    public void move(String task, String instance, Instant at) {
        jdbc.sql("UPDATE " + table
                + " SET execution_time = :at WHERE task_name = :task AND task_instance = :instance AND NOT picked")
                .param("at", SqlTimestamps.sql(at))
                .param("task", task)
                .param("instance", instance)
                .update();
    }

    /** Removes a task. A running task is not interrupted: its handler checks that it is still wanted. */
    public void remove(String task, String instance) {
        jdbc.sql("DELETE FROM " + table + " WHERE task_name = :task AND task_instance = :instance AND NOT picked")
                .param("task", task)
                .param("instance", instance)
                .update();
    }

    /** Returns the lateness of the oldest due task that no controller works on; zero when none is due. */
    static Duration oldestLateness(JdbcClient jdbc, String table, List<String> tasks, Instant now) {
        return jdbc
                .sql("SELECT min(execution_time) AS oldest FROM " + table
                        + " WHERE NOT picked AND task_name IN (:tasks)")
                .param("tasks", tasks)
                .query((row, number) -> Optional.ofNullable(SqlTimestamps.readIfAny(row, "oldest")))
                .single()
                .filter(now::isAfter)
                .map(oldest -> Duration.between(oldest, now))
                .orElse(Duration.ZERO);
    }
}
