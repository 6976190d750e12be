// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import java.nio.file.Path;

/** Another RedLiner holds the data folder. */
public final class DataFolderInUseException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    DataFolderInUseException(Path folder, String holder) {
        super("The data folder " + folder + " is in use by the RedLiner with process id " + holder
                + ": end that one, or choose another folder with --data");
    }
}
