// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.jvm;

import java.time.Duration;
import java.util.Map;
import javax.management.remote.JMXConnector;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the JVM probe.
 *
 * @param attach whether to attach to the JVMs of instances on this machine without a {@code jmx}; the process must run as the
 *            collector's user, unless the collector runs as root
 * @param threadsEvery interval at which the states of the threads are read, at least 100 ms; it costs the JVM more than all other
 *            readings
 * @param maxThreads maximum number of threads; in a JVM with more, their states are not read, and health reports it; 0: they are
 *            read in none, and nothing is reported
 * @param patience how long a call may take before its connection is given up; longer than any pause that is to be measured, 1 s to
 *            10 min
 * @param user the login for remote JVMs, as in their password file; none: no login
 * @param password of that user
 */
@ConfigurationProperties("redliner.collector.jvm")
public record JvmProperties(@DefaultValue("true") boolean attach, @DefaultValue("1s") Duration threadsEvery,
        @DefaultValue("2000") int maxThreads,
        @DefaultValue("60s") Duration patience, @Nullable String user, @Nullable String password) {

    public JvmProperties {
        if (threadsEvery.toMillis() < 100) {
            throw new IllegalArgumentException(
                    "redliner.collector.jvm.threads-every is at least 100ms; not " + threadsEvery);
        }
        if (maxThreads < 0) {
            throw new IllegalArgumentException("redliner.collector.jvm.max-threads is 0 or more; not " + maxThreads);
        }
        if (patience.toMillis() < 1_000 || patience.toMinutes() > 10) {
            throw new IllegalArgumentException("redliner.collector.jvm.patience is 1s to 10m; not " + patience);
        }
        if ((user == null) != (password == null)) {
            throw new IllegalArgumentException("redliner.collector.jvm needs user and password, or none of both");
        }
    }

    /** Returns the login as the environment of a JMX connection; empty without one. */
    Map<String, Object> login() {
        return user == null || password == null
                ? Map.of()
                : Map.of(JMXConnector.CREDENTIALS, new String[]{user, password});
    }

    /** Leaves the password out. */
    @Override
    public String toString() {
        return "JvmProperties[attach=" + attach + ", threadsEvery=" + threadsEvery + ", maxThreads=" + maxThreads
                + ", patience=" + patience
                + ", user=" + user + "]";
    }
}
