// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone;

import io.redliner.standalone.stack.DataFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of every command that starts RedLiner. */
final class StandaloneOptions {

    private static final String LOG = "redliner.log";

    @Option(names = "--port", paramLabel = "PORT", defaultValue = "8080", description = "TCP port of the dashboard and the REST API, 0 for a free one (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(names = "--data", paramLabel = "FOLDER", description = "Where data and logs are kept over restarts (default: redliner/COMMAND in $XDG_DATA_HOME"
            + " or ~/.local/share).")
    private @Nullable Path data;

    int port() {
        return port;
    }

    /**
     * Locks the data folder for this process, and directs the log into it.
     *
     * @param disposable true when the contents of the default folder may be deleted; a folder that {@code --data} names is kept
     */
    DataFolder lockDataFolder(String command, boolean disposable) {
        Path path = folder(data, command);
        boolean deletes = data == null && disposable;
        DataFolder folder = deletes ? DataFolder.holdAny(path) : DataFolder.lock(path);
        logTo(folder);
        if (deletes) {
            folder.deleteOtherFormat();
        }
        return folder;
    }

    /** Directs the log into a folder. It is called before the first logger is made, because the run writes to the terminal. */
    static void logTo(DataFolder folder) {
        System.setProperty(LOG, folder.log().toString());
        System.setProperty("logback.configurationFile", "standalone-logback.xml");
    }

    /** Returns the data folder of a command; {@code data} is the one that the user named. */
    static Path folder(@Nullable Path data, String command) {
        return data == null ? home().resolve("redliner").resolve(command) : data;
    }

    /** Returns whether logs go to a file. */
    static boolean hasLog() {
        return System.getProperty(LOG) != null;
    }

    private static Path home() {
        String dataHome = System.getenv().getOrDefault("XDG_DATA_HOME", "");
        return dataHome.isBlank() ? Path.of(System.getProperty("user.home"), ".local", "share") : Path.of(dataHome);
    }
}
