"""What a chat model is asked about spelling, in Chinese and English, as files beside this one."""
