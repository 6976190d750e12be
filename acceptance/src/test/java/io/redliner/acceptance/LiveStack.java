// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.redliner.embedded.EnvoyBinary;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.Stack;
import io.redliner.standalone.stack.StackSettings;

/** The whole of RedLiner in this process, with a search that hurries, before a live service. */
public final class LiveStack implements AutoCloseable {

    private final LiveService live;

    private final DataFolder data;

    private final Stack stack;

    LiveStack() throws Exception {
        this(0);
    }

    /** With the dashboard at a port that stays the same when the controller is started again. */
    public LiveStack(int dashboardPort) throws Exception {
        LiveService.HASTY_SEARCH.forEach(System::setProperty);
        live = new LiveService();
        data = DataFolder.hold(live.dataFolder());
        stack = new Stack(new StackSettings(data, live.servicesFile(), dashboardPort, EnvoyBinary.locate()));
        stack.start();
    }

    /** The service, and its users. */
    public LiveService live() {
        return live;
    }

    /** Everything else. */
    public Stack stack() {
        return stack;
    }

    @Override
    public void close() throws Exception {
        LiveService.HASTY_SEARCH.keySet().forEach(System::clearProperty);
        stack.close();
        data.close();
        live.close();
    }
}
