// SPDX-License-Identifier: Apache-2.0
package io.redliner.analyzer.recording;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Begins the tapes of one analyzer.
 *
 * @param folder that the tapes are in; empty to record nothing
 * @param mostBytes that a tape may have
 * @param failure is told, at most once by each tape, that it could not be written
 */
public record InputRecorderFactory(Optional<Path> folder, long mostBytes, Consumer<IOException> failure) {

    /** That record nothing. */
    public static InputRecorderFactory off() {
        return new InputRecorderFactory(Optional.empty(), 0, unused -> {});
    }

    /** For one analysis; where there is one of that name already, its name has a number. */
    public InputRecorder begin(String name) {
        return folder.map(it -> InputRecorder.begin(it, name, mostBytes, failure)).orElseGet(InputRecorder::none);
    }
}
