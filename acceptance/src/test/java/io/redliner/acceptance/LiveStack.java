// SPDX-License-Identifier: Apache-2.0
package io.redliner.acceptance;

import io.redliner.embedded.EnvoyBinary;
import io.redliner.embedded.FreePort;
import io.redliner.standalone.stack.DataFolder;
import io.redliner.standalone.stack.StackSettings;
import io.redliner.standalone.stack.StandaloneStack;
import java.io.IOException;
import java.net.URI;
import java.util.Map;

/** The whole of RedLiner in this process, with a client of its API. */
public final class LiveStack implements AutoCloseable {

    private final StackFolder folder;

    private final DataFolder data;

    private final StandaloneStack stack;

    private final ApiClient controller;

    /** @param settings of any component */
    public LiveStack(Map<String, String> settings) throws IOException {
        folder = new StackFolder();
        data = DataFolder.lock(folder.data());
        // A port of its own, so that a controller that is started again is found where the one before was.
        stack = new StandaloneStack(
                new StackSettings(data, folder.services().path(), FreePort.next(), EnvoyBinary.locate(),
                        settings));
        try {
            stack.start();
        } catch (RuntimeException failed) {
            // What had started of it is ended.
            stack.close();
            data.close();
            folder.close();
            throw failed;
        }
        controller = new ApiClient(stack.dashboard());
    }

    StandaloneStack stack() {
        return stack;
    }

    StackFolder folder() {
        return folder;
    }

    /** The address of its pages. */
    public URI dashboard() {
        return stack.dashboard();
    }

    /** A client of its API. */
    public ApiClient controller() {
        return controller;
    }

    /** Has the proxy serve a service from now on. */
    void serve(OwnService service) {
        serve(service.name(), service.entry());
    }

    /** The same, by the service's entry in the services file. */
    public void serve(String name, String entry) {
        folder.services().put(name, entry);
    }

    /** Takes a service out again. */
    void dismiss(OwnService service) {
        folder.services().remove(service.name());
    }

    @Override
    public void close() throws IOException {
        controller.close();
        stack.close();
        data.close();
        folder.close();
    }
}
