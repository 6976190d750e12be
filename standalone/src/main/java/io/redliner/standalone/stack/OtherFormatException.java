// SPDX-License-Identifier: Apache-2.0
package io.redliner.standalone.stack;

import java.nio.file.Path;

/** Another build left data in the folder that this one cannot read. */
public final class OtherFormatException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    OtherFormatException(Path folder) {
        super("The data in " + folder
                + " is of another build of RedLiner, and this one cannot read it: choose another folder with"
                + " --data, or delete this one. UPGRADING.md says which builds understand each other");
    }
}
