// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.redliner.embedded.EnvoyBinary;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.Stack;
import io.redliner.standalone.stack.StackSettings;
import java.util.Map;

/** The whole of RedLiner in this process, with a search that hurries, before a live service. */
final class LiveStack implements AutoCloseable {

    private final Map<String, String> settings = LiveService.HASTY_SEARCH;

    private final LiveService live;

    private final DataFolder data;

    private final Stack stack;

    LiveStack() throws Exception {
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
