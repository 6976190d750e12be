// SPDX-License-Identifier: Apache-2.0
package io.redliner.controller.service.persistence;

import com.github.kagkarlsson.scheduler.SchedulerClient;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import java.time.Instant;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;

/** The tasks of db-scheduler and their times, changed in the transaction of the caller. */
public final class ScheduledTaskRepository {

    /** Starts a plan by the clock; instance: id of the schedule. */
    public static final String BY_CLOCK = "plan";

    /** Starts a plan after a deployment; instance: key of the firing. */
    public static final String BY_DEPLOYMENT = "deployment";

    private final SchedulerClient client;

    private final JdbcClient jdbc;

    public ScheduledTaskRepository(DataSource database, JdbcClient jdbc) {
        this.client = SchedulerClient.Builder.create(new TransactionAwareDataSourceProxy(database))
                .serializer(new TaskDataSerializer())
                .build();
        this.jdbc = jdbc;
    }

    /** Adds a task, unless a task of this name and id exists. */
    public void add(String task, String instance, String data, Instant at) {
        client.scheduleIfNotExists(new TaskInstance<>(task, instance, data), at);
    }

    /** Removes a task. A running task is not interrupted: its handler checks that it is still wanted. */
    public void remove(String task, String instance) {
        jdbc.sql("DELETE FROM scheduled_tasks WHERE task_name = :task AND task_instance = :instance AND NOT picked")
                .param("task", task)
                .param("instance", instance)
                .update();
    }
}
