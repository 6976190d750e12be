// SPDX-License-Identifier: Apache-2.0
package io.redliner.cli.commands;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;

/** Describes failures of files for which the JDK's exceptions have only a class and no message. */
final class FileFailure {

    private FileFailure() {}

    /** Returns the failure as one of the file that a user named. */
    static FileSystemException of(Path named, IOException failure) {
        FileSystemException reported = new FileSystemException(named.toString(), null, reason(failure));
        reported.addSuppressed(failure);
        return reported;
    }

    /** Returns the file and the reason. */
    static String describe(FileSystemException failure) {
        return failure.getFile() == null ? reason(failure) : failure.getFile() + ": " + reason(failure);
    }

    /** Returns the reason alone. */
    static String reason(IOException failure) {
        return switch (failure) {
            case FileSystemException explained when explained.getReason() != null -> explained.getReason();
            case AccessDeniedException denied -> "Permission denied";
            case NoSuchFileException missing -> "there is no such file or folder";
            case FileAlreadyExistsException there -> "is there already";
            case NotDirectoryException file -> "is no folder";
            case FileSystemLoopException loop -> "links lead to each other without end";
            case FileSystemException other -> "the file system refuses it";
            default -> failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
        };
    }
}
