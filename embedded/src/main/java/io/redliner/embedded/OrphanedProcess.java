// SPDX-License-Identifier: Apache-2.0
package io.redliner.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A child process that outlived the RedLiner that started it, because that one was killed. It is known by the process
 * id that was written to a file, and only ended when its command line still names the folder it was started for.
 */
final class OrphanedProcess {

    private static final Logger log = LoggerFactory.getLogger(OrphanedProcess.class);

    private OrphanedProcess() {}

    /** Ends the process whose id is the first line of the file, if it still is the one that was started for the folder. */
    static void end(Path pidFile, String program, Path folder) throws IOException {
        Optional<ProcessHandle> process = find(pidFile, program, folder);
        if (process.isPresent()) {
            log.info("Ending {} {}, left over in {}", program, process.get().pid(), folder);
            end(process.get());
        }
    }

    /** Returns the process whose id is the first line of the file, if it still is the one that was started for the folder. */
    static Optional<ProcessHandle> find(Path pidFile, String program, Path folder) throws IOException {
        return named(pidFile).filter(handle -> isOurs(handle, program, folder));
    }

    /**
     * Deletes the pid file when another process has its id by now: the program would take that process for itself and not start. A
     * process whose command line cannot be read, or that is the program in that folder, is left to the program's own judgement.
     */
    static void forgetStranger(Path pidFile, String program, Path folder) throws IOException {
        Optional<ProcessHandle> process = named(pidFile);
        if (process.isPresent() && isStranger(process.get(), program, folder)) {
            log.info("Process {} has the id that {} {} had before it was killed", process.get().pid(), program, folder);
            Files.delete(pidFile);
        }
    }

    private static boolean isStranger(ProcessHandle handle, String program, Path folder) {
        String commandLine = handle.info().commandLine().orElse("");
        if (commandLine.isEmpty()) {
            return false;
        }
        try {
            Path workingDirectory = Path.of("/proc", Long.toString(handle.pid()), "cwd").toRealPath();
            return !commandLine.contains(program) || !workingDirectory.equals(folder.toRealPath());
        } catch (IOException unreadable) {
            return !commandLine.contains(program);
        }
    }

    private static Optional<ProcessHandle> named(Path pidFile) throws IOException {
        return Files.exists(pidFile)
                ? Files.readAllLines(pidFile, StandardCharsets.ISO_8859_1).stream().findFirst().map(String::strip)
                        .filter(line -> line.matches("\\d{1,18}"))
                        .flatMap(line -> ProcessHandle.of(Long.parseLong(line)))
                : Optional.empty();
    }

    private static boolean isOurs(ProcessHandle handle, String program, Path folder) {
        String commandLine = handle.info().commandLine().orElse("");
        return commandLine.contains(program) && commandLine.contains(folder.toString());
    }

    private static void end(ProcessHandle process) {
        process.destroy();
        try {
            process.onExit().get(5, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException e) {
            process.destroyForcibly();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
