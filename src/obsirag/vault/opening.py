"""Reading a vault's files without following a link that the walk has not seen."""

from __future__ import annotations

import errno
import os
import stat

__all__ = ["read_elsewhere", "read_inside", "require_file", "require_same"]

# Opening a pipe that took a file's place would wait for ever; what is opened is looked at before it is read. Windows
# has none of these flags, but a text mode.
_FILE_FLAGS = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_FOLDER_FLAGS = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0)
_TAKEN = (errno.ELOOP, errno.ENOTDIR)


def read_inside(root: str, name: str) -> bytes:
    """Return what the file ``name`` below the folder ``root`` holds, if no symbolic link stands on the way to it.

    Folder by folder, each opened in the one before: a path that is checked first and opened then may lead elsewhere by
    then. Systems that cannot do so (Windows) check the path.

    Args:
        root: A folder, resolved.
        name: Path below it, its parts separated by slashes.

    Raises:
        OSError: If it cannot be read, or is no regular file inside the folder any more.
    """
    if os.open not in os.supports_dir_fd:
        return read_elsewhere(os.path.join(root, name), os.path.join(root, os.path.normpath(name)))  # noqa: PTH118
    *folders, file = name.split("/")
    try:
        at = os.open(root, _FOLDER_FLAGS)
        try:
            for folder in folders:
                outer, at = at, os.open(folder, _FOLDER_FLAGS, dir_fd=at)
                os.close(outer)
            return _read(os.open(file, _FILE_FLAGS, dir_fd=at))
        finally:
            os.close(at)
    except OSError as error:
        if error.errno not in _TAKEN:
            raise
        raise OSError(errno.EXDEV, "a symbolic link or a file stands in its way now and is not followed") from error


def read_elsewhere(file: str, real: str) -> bytes:
    """Return what the file at ``real`` holds, if ``file`` still leads there.

    Args:
        file: The path of a file or of a link that may be followed.
        real: The path where the file really lies.

    Raises:
        OSError: If it cannot be read, or if ``file`` leads elsewhere.
    """
    require_same(file, real)
    return _read(os.open(real, _FILE_FLAGS))


def require_same(file: str, real: str) -> None:
    """Refuse a path that leads elsewhere than it did.

    Raises:
        OSError: If ``file`` doesn't lead to ``real``.
    """
    if os.path.realpath(file) != real:
        raise OSError(errno.EXDEV, "it leads elsewhere now and is not followed")


def require_file(status: os.stat_result) -> None:
    """Refuse what is no regular file: reading a pipe would wait for ever.

    Raises:
        OSError: If it is none.
    """
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is no file any more")


def _read(descriptor: int) -> bytes:
    with os.fdopen(descriptor, "rb") as opened:
        require_file(os.fstat(descriptor))
        return opened.read()
