// SPDX-License-Identifier: Apache-2.0
package io.redliner.collector.source;

import io.redliner.collector.window.Windows;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/** Whatever is looked at is looked at as often as the shortest windows of the targets' services want it. */
final class WindowPace implements ProbeSource.Pace {

    /** Without any target. */
    private static final Duration IDLE = Duration.ofSeconds(1);

    private final List<String> services;

    private final Windows windows;

    WindowPace(Collection<Target> targets, Windows windows) {
        services = targets.stream().map(target -> target.subject().service()).distinct().toList();
        this.windows = windows;
    }

    @Override
    public Duration interval() {
        return services.stream().map(windows::windowLength).min(Comparator.naturalOrder()).orElse(IDLE);
    }
}
