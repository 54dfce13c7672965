"""What a chat model is asked about topics, in Chinese and English, as files beside this one."""
