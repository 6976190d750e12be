// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.redliner.embedded.EnvoyBinary;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.Stack;
import io.redliner.standalone.stack.StackSettings;
import java.util.HashMap;
import java.util.Map;

/** The whole of RedLiner in this process, with a search that hurries, before a live service. */
final class LiveStack implements AutoCloseable {

    /**
     * Rides that end soon, with a wide answer: not for tests that need the traffic to stay raised. Where a busy machine makes the
     * ramp stop early, a ride of 40 s gets to the capacity all the same; one of 15 s does not.
     */
    static final Map<String, String> SHORT_RIDE = Map.of("redliner.analyzer.search.least-ride", "10s",
            "redliner.analyzer.search.longest-ride", "40s");

    private final Map<String, String> settings;

    private final LiveService live;

    private final DataFolder data;

    private final Stack stack;

    LiveStack() throws Exception {
        this(Map.of());
    }

    /** With further settings of any room. */
    LiveStack(Map<String, String> more) throws Exception {
        settings = new HashMap<>(LiveService.HASTY_SEARCH);
        settings.putAll(more);
        settings.forEach(System::setProperty);
        live = new LiveService();
        data = DataFolder.hold(live.dataFolder());
        stack = new Stack(new StackSettings(data, live.servicesFile(), 0, EnvoyBinary.locate()));
        stack.start();
    }

    LiveService live() {
        return live;
    }

    Stack stack() {
        return stack;
    }

    @Override
    public void close() throws Exception {
        settings.keySet().forEach(System::clearProperty);
        stack.close();
        data.close();
        live.close();
    }
}
